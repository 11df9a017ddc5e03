import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOrg } from '../shell/viewer.ts'
import { templateQuery } from '../templates/queries.ts'
import { Icon } from '../ui/icon.tsx'
import { type Beginning, blank } from './beginning.ts'
import { beginningFrom, forgetSteps, type KeptSteps, readKeptSteps } from './kept-steps.ts'

interface Resumption {
  readonly from: Beginning
  /** Undefined: it begins with nothing. */
  readonly kept: KeptSteps | undefined
  /** Of the steps: those that were begun in the meantime give way. */
  readonly key: number
}

/** Begins with what was being put together in this tab, if there is anything, and says so. */
export function Resumed({ children }: { children: (from: Beginning, key: number) => ReactNode }) {
  const { t } = useTranslation('bulk')
  const { slug } = useOrg()
  const client = useQueryClient()
  const [{ from, kept, key }, setResumption] = useState<Resumption>({ from: blank, kept: undefined, key: 0 })
  // The server knows nothing of it, so it comes after hydration.
  useEffect(() => {
    const found = readKeptSteps(slug)
    if (!found) return undefined
    let isOver = false
    const find = async () => {
      const { templateId } = found
      const template = templateId
        ? await client.fetchQuery(templateQuery(slug, templateId)).catch(() => undefined)
        : undefined
      if (isOver) return
      const usable = template?.status === 'APPROVED' ? template : undefined
      setResumption({ from: beginningFrom(found, usable, blank), kept: found, key: 1 })
    }
    void find()
    return () => {
      isOver = true
    }
  }, [slug, client])
  const discard = () => {
    forgetSteps(slug)
    setResumption(before => ({ from: blank, kept: undefined, key: before.key + 1 }))
  }
  return (
    <>
      {kept ? (
        <div className="notice bulk-resumed" role="status">
          <Icon name="info" />
          <p>
            {t('resumed.says')}
            {kept.hadFile ? ` ${t('resumed.file')}` : null}
            {kept.templateId && !from.template ? ` ${t('resumed.noTemplate')}` : null}
          </p>
          <button type="button" className="link" onClick={discard}>
            {t('resumed.discard')}
          </button>
        </div>
      ) : null}
      {children(from, key)}
    </>
  )
}
