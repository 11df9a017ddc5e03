import { useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { downloadCsv, downloadParts } from '#client/ui/files/save-csv.ts'
import { Menu, MenuItem } from '#client/ui/overlays/menu.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { maxContactsAtOnce } from '#shared/contacts/api.ts'
import type { ContactFilter } from './queries.ts'

interface ExportMenuProps {
  /** The contacts to export. `ids`: only these, in any order and number. */
  readonly of: ContactFilter & { readonly ids?: readonly string[] }
}

/** Exports contacts for spreadsheets, or as vCards for phones and mail programs. For people who may export data. */
export function ExportMenu({ of }: ExportMenuProps) {
  const { t } = useTranslation('contacts')
  const api = useApi()
  const { slug } = useOrg()
  const failureText = useFailureText()
  const [isExporting, run] = useTransition()
  const name = `${slug}-${t('file')}`
  // Lists go from the highest id down, so that the next ids come after the last of those before.
  const { ids: given, ...filter } = of
  const ids = given && [...given].sort().reverse()
  const queryAfter = (after: string | undefined) => {
    if (!ids) return { query: { ...filter, ...(after ? { after } : {}) } }
    const from = after ? ids.indexOf(after) + 1 : 0
    return { query: { ids: ids.slice(from, from + maxContactsAtOnce), ...(after ? { after } : {}) } }
  }
  /** The next part begins after the returned id. Null: there is none. */
  const nextOf = (after: string | undefined, next: string | null): string | null => {
    if (!ids) return next
    const end = (after ? ids.indexOf(after) + 1 : 0) + maxContactsAtOnce
    return end < ids.length ? (ids[end - 1] ?? null) : null
  }
  const download = (work: () => Promise<void>) => {
    if (isExporting) return
    run(async () => {
      try {
        await work()
      } catch (error) {
        toast(failureText(error), { kind: 'error' })
      }
    })
  }
  return (
    <Menu
      label={t('export')}
      className="button"
      side="below-end"
      button={
        <>
          <Icon name="download" />
          {t(isExporting ? 'exporting' : 'export')}
        </>
      }
    >
      {() => (
        <>
          <MenuItem
            onClick={() =>
              download(() =>
                downloadCsv<string>(name, async after => {
                  const { csv, next } = await api.contacts.exportContacts(queryAfter(after))
                  return { csv, next: nextOf(after, next) }
                }),
              )
            }
          >
            {t('exportCsv')}
          </MenuItem>
          <MenuItem
            onClick={() =>
              download(() =>
                downloadParts<string>(`${name}.vcf`, 'text/vcard;charset=utf-8', async after => {
                  const { vcard, next } = await api.contacts.exportCards(queryAfter(after))
                  return { text: vcard, next: nextOf(after, next) }
                }),
              )
            }
          >
            {t('exportCards')}
          </MenuItem>
        </>
      )}
    </Menu>
  )
}
