import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#client/app/calls/use-api.ts'
import { keyFor } from '#client/app/queries/queries.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { contactFieldsQuery } from '#client/segments/queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { MenuItem } from '#client/ui/overlays/menu.tsx'
import { RowMenu } from '#client/ui/overlays/row-menu.tsx'
import { type ContactField, maxContactFields } from '#shared/contacts/fields.ts'
import './contact-fields.css'

const ContactFieldDialog = lazyDialog(() => import('./contact-field-dialog.tsx'))
const ConfirmDialog = lazyDialog(async () => ({
  default: (await import('#client/ui/overlays/confirm-dialog.tsx')).ConfirmDialog,
}))

type Opened =
  | { readonly what: 'edit'; readonly field?: ContactField }
  | { readonly what: 'remove'; readonly field: ContactField }

/** The organization's contact fields. */
export function ContactFields() {
  const { t } = useTranslation('settings')
  const api = useApi()
  const org = useOrg()
  const client = useQueryClient()
  const { items } = useAnswer(contactFieldsQuery(org.slug))
  const [opened, setOpened] = useState<Opened>()
  const close = () => setOpened(undefined)
  const remove = async ({ id, label }: ContactField) => {
    await api.contactFields.deleteField({ params: { id } })
    await client.invalidateQueries({ queryKey: keyFor(org.slug, 'contactFields.listFields') })
    toast(t('fields.removed', { label }), { kind: 'success' })
  }
  return (
    <>
      <p>{t('fields.text')}</p>
      {items.length ? (
        <ul className="contact-fields">
          {items.map(field => (
            <li key={field.id}>
              <div>
                <strong dir="auto">{field.label}</strong>
                <small>
                  {[t(`fields.kind.${field.kind}`), ...(field.options.length ? [field.options.join(', ')] : [])].join(
                    ' · ',
                  )}
                </small>
              </div>
              <RowMenu
                label={t('fields.actionsOf', { label: field.label })}
                items={() => (
                  <>
                    <MenuItem onClick={() => setOpened({ what: 'edit', field })}>{t('fields.edit')}</MenuItem>
                    <MenuItem danger onClick={() => setOpened({ what: 'remove', field })}>
                      {t('fields.remove')}
                    </MenuItem>
                  </>
                )}
              />
            </li>
          ))}
        </ul>
      ) : (
        <p className="field-hint">{t('fields.none')}</p>
      )}
      {items.length < maxContactFields ? (
        <div className="card-buttons">
          <button type="button" className="button" onClick={() => setOpened({ what: 'edit' })}>
            {t('fields.add')}
          </button>
        </div>
      ) : (
        <p>{t('fields.most', { count: maxContactFields })}</p>
      )}
      {opened?.what === 'edit' ? <ContactFieldDialog field={opened.field} onClose={close} /> : null}
      {opened?.what === 'remove' ? (
        <ConfirmDialog
          title={t('fields.ask', { label: opened.field.label })}
          says={[t('fields.consequence'), t('fields.forGood')]}
          confirm={t('fields.remove')}
          run={() => remove(opened.field)}
          onClose={close}
        />
      ) : null}
    </>
  )
}
