import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useWork } from '#client/app/calls/use-work.ts'
import { usePages } from '#client/app/queries/use-paged-list.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { MoreButton } from '#client/ui/controls/more-button.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { maxMigrated, type TemplateMigration } from '#shared/templates/api.ts'
import { earlierQuery, refreshTemplates } from './queries.ts'
import { LanguageName } from './words.tsx'

type Failed = TemplateMigration['items'][number]

/** Templates of earlier accounts, to be submitted for the connected account. */
export default function EarlierDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('templates')
  const { slug } = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const list = usePages(earlierQuery(slug))
  const templates = list.data?.pages.flatMap(page => page.items) ?? []
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [failed, setFailed] = useState<readonly Failed[]>([])
  const [failure, setFailure] = useState<string>()
  const [isWorking, work] = useWork()
  const there = chosen.filter(id => templates.some(one => one.id === id))
  const isFull = there.length >= maxMigrated
  const choose = (id: string, isChosen: boolean) =>
    setChosen(ids => (isChosen ? [...ids, id] : ids.filter(one => one !== id)))
  const bring = () => {
    setFailed([])
    setFailure(there.length ? undefined : t('earlier.none'))
    if (!there.length) return
    work(async () => {
      try {
        const { items } = await api.templates.migrate({ body: { ids: [...there] } })
        const refused = items.filter(({ result }) => result === 'failed')
        const count = items.length - refused.length
        if (count) toast(t('earlier.done', { count }), { kind: 'success' })
        await refreshTemplates(client, slug)
        if (!refused.length) return onClose()
        setFailed(refused)
        setChosen([])
      } catch (error) {
        setFailure(failureText(error))
      }
    })
  }
  return (
    <Modal title={t('earlier.title')} onClose={onClose} width={520}>
      <DialogForm
        confirm={there.length ? t('earlier.bring', { count: there.length }) : t('earlier.bringNone')}
        isWorking={isWorking}
        onSubmit={bring}
        onCancel={onClose}
      >
        <p>{t('earlier.text')}</p>
        {failed.length ? (
          <div className="notice notice-error" role="alert">
            <ul>
              {failed.map(({ name, language, reason }) => (
                <li key={`${name} ${language}`}>
                  <b dir="auto">{name}</b> · <LanguageName code={language} />: {reason?.message}
                </li>
              ))}
            </ul>
          </div>
        ) : null}
        <fieldset className="template-choices template-earlier-choices" disabled={isWorking}>
          <legend className="sr-only">{t('earlier.which')}</legend>
          {templates.map(({ id, name, language, category }) => (
            <label key={id}>
              <input
                type="checkbox"
                checked={there.includes(id)}
                disabled={isFull && !there.includes(id)}
                onChange={({ target }) => choose(id, target.checked)}
              />
              <b dir="auto">{name}</b>
              <span>
                <LanguageName code={language} /> · {t(`category.${category}`)}
              </span>
            </label>
          ))}
        </fieldset>
        <MoreButton list={list} more={t('more')} failed={t('moreFailed')} />
        {isFull ? <p role="status">{t('earlier.most', { count: maxMigrated })}</p> : null}
        {failure ? <Fault>{failure}</Fault> : null}
      </DialogForm>
    </Modal>
  )
}
