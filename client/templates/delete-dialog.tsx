import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import type { Template } from '#shared/templates/api.ts'
import { isApproved } from '#shared/templates/words.ts'
import { refreshTemplates, templateQuery } from './queries.ts'
import { LanguageName } from './words.tsx'

interface DeleteDialogProps {
  readonly template: Template
  onClose(): void
  /** Called when they were deleted. The dialog closes afterwards. */
  onRemoved?(removed: readonly string[]): Promise<void>
}

type Scope = 'language' | 'name'

/** Confirms deleting a template by typing its name. */
export default function DeleteDialog({ template, onClose, onRemoved }: DeleteDialogProps) {
  const { t } = useTranslation('templates')
  const { t: common } = useTranslation()
  const { slug } = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const { id, name, language, status } = template
  const languages = useQuery(templateQuery(slug, id)).data?.languages ?? [template]
  const [scope, setScope] = useState<Scope>('language')
  const [typed, setTyped] = useState('')
  const [failure, setFailure] = useState<string>()
  const [isWorking, work] = useTransition()
  const isTyped = typed.trim() === name
  const isMany = languages.length > 1
  const going = scope === 'name' ? languages : [template]
  const confirm = () =>
    work(async () => {
      setFailure(undefined)
      try {
        const { removed } = await api.templates.remove({ params: { id, name: typed.trim() }, query: { scope } })
        const gone = removed.map(one => one.id)
        // Leaves the deleted template's page first.
        await onRemoved?.(gone)
        void refreshTemplates(client, slug, gone)
        toast(t('remove.done', { count: removed.length, name }), { kind: 'success' })
        onClose()
      } catch (error) {
        setFailure(failureText(error))
      }
    })
  return (
    <Modal title={t('remove.title', { name })} onClose={onClose} width={480}>
      <form
        className="stack"
        noValidate
        onSubmit={event => {
          event.preventDefault()
          if (isTyped && !isWorking) confirm()
        }}
      >
        {isMany ? (
          <fieldset className="template-choices">
            <legend className="sr-only">{t('remove.what')}</legend>
            {(['language', 'name'] as const).map(one => (
              <label key={one}>
                <input type="radio" name="scope" checked={scope === one} onChange={() => setScope(one)} />
                <b>{one === 'name' ? t('remove.whole') : <LanguageName code={language} />}</b>
                <span>
                  {one === 'name' ? t('remove.wholeHint', { count: languages.length }) : t('remove.languageHint')}
                </span>
              </label>
            ))}
          </fieldset>
        ) : null}
        <ul className="consequences">
          {going.every(one => one.status === 'DRAFT') ? (
            <li>{t('remove.draft')}</li>
          ) : (
            <>
              <li>{t('remove.meta')}</li>
              {going.some(one => isApproved(one.status)) || isApproved(status) ? <li>{t('remove.blocked')}</li> : null}
              <li>{t('remove.kept')}</li>
            </>
          )}
        </ul>
        <Field
          label={t('remove.type', { name })}
          value={typed}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={({ target }) => setTyped(target.value)}
        />
        {failure ? <Fault>{failure}</Fault> : null}
        <div className="dialog-buttons">
          <button type="button" className="button" onClick={onClose}>
            {common('cancel')}
          </button>
          <button
            type="submit"
            className="button button-danger"
            disabled={!isTyped}
            aria-disabled={isWorking || !isTyped}
          >
            {t('remove.confirm')}
          </button>
        </div>
      </form>
    </Modal>
  )
}
