import { useTranslation } from 'react-i18next'
import { AudienceFields } from '../../audience/audience-fields.tsx'
import { withColumns } from '../../values/value-fields.tsx'
import { isMarketing } from '../request.ts'
import type { Composition } from '../use-composition.ts'
import { CapFields } from './cap-fields.tsx'

interface AudienceStepProps {
  readonly composition: Composition
  readonly areMissingShown: boolean
  /** Applies a change that invalidates the plan. */
  change(apply: () => void): void
}

/** The second step: the recipients, and a marketing template's limit of messages per person. */
export function AudienceStep({ composition, areMissingShown, change }: AudienceStepProps) {
  const { t } = useTranslation('bulk-sends')
  const { template, typed, cap, asked, setTyped, setSources, setCap } = composition
  const missing = t(typed.file ? 'file.columnMissing' : 'audience.missing')
  return (
    <>
      <AudienceFields
        typed={typed}
        fault={areMissingShown && !asked.audience ? missing : undefined}
        onChange={next =>
          change(() => {
            setTyped(next)
            setSources(before => withColumns(before, next.file?.check.columns ?? []))
          })
        }
      />
      {isMarketing(template) ? <CapFields typed={cap} onChange={next => change(() => setCap(next))} /> : null}
    </>
  )
}
