import { useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/use-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { downloadCsv, downloadParts } from '#client/ui/files/save-csv.ts'
import { Menu, MenuItem } from '#client/ui/overlays/menu.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { ContactFilter } from './queries.ts'

interface ExportMenuProps {
  /** Which contacts. */
  readonly of: ContactFilter & { readonly ids?: string[] }
}

/** Exports contacts for spreadsheets, or as vCards for phones and mail programs. For people who may export data. */
export function ExportMenu({ of }: ExportMenuProps) {
  const { t } = useTranslation('contacts')
  const api = useApi()
  const { slug } = useOrg()
  const failureText = useFailureText()
  const [isExporting, run] = useTransition()
  const name = `${slug}-${t('file')}`
  const queryAfter = (after: string | undefined) => ({ query: { ...of, ...(after ? { after } : {}) } })
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
              download(() => downloadCsv<string>(name, after => api.contacts.exportContacts(queryAfter(after))))
            }
          >
            {t('exportCsv')}
          </MenuItem>
          <MenuItem
            onClick={() =>
              download(() =>
                downloadParts<string>(`${name}.vcf`, 'text/vcard;charset=utf-8', async after => {
                  const { vcard, next } = await api.contacts.exportCards(queryAfter(after))
                  return { text: vcard, next }
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
