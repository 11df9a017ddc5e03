import { useTranslation } from 'react-i18next'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import type { WebhookDraft } from './draft.ts'

interface MetaFieldsProps {
  readonly draft: WebhookDraft
  readonly isNew: boolean
  readonly fault: string | undefined
  onChange(part: Partial<WebhookDraft>): void
}

/** The fields of a webhook of format `meta`, which has no events to choose. */
export function MetaFields({ draft, isNew, fault, onChange }: MetaFieldsProps) {
  const { t } = useTranslation('integrations')
  return (
    <>
      <Field
        label={t('hooks.verifyToken')}
        hint={t(isNew ? 'hooks.verifyTokenHint' : 'hooks.verifyTokenStays')}
        autoComplete="off"
        maxLength={200}
        value={draft.verifyToken}
        onChange={({ target }) => onChange({ verifyToken: target.value })}
      />
      <Field
        label={t('hooks.fields')}
        hint={t('hooks.fieldsHint')}
        autoComplete="off"
        value={draft.fields}
        onChange={({ target }) => onChange({ fields: target.value })}
      />
      <Field
        label={t('hooks.messageTypes')}
        hint={t('hooks.messageTypesHint')}
        autoComplete="off"
        value={draft.messageTypes}
        onChange={({ target }) => onChange({ messageTypes: target.value })}
      />
      {fault ? <Fault>{fault}</Fault> : null}
    </>
  )
}
