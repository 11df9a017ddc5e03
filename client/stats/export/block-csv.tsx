import { useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { type CsvPart, downloadCsv } from '#client/ui/files/save-csv.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { SummaryBlockName } from '#shared/stats/blocks.ts'
import { filterIn } from '../queries.ts'

interface CsvButtonProps {
  /** The title of the block. */
  readonly title: string
  /** The name of the file without its ending. */
  readonly file: string
  ask(place: string | undefined): Promise<CsvPart<string>>
}

/** Fetches a block as a file. */
export function CsvButton({ title, file, ask }: CsvButtonProps) {
  const { t } = useTranslation('stats')
  const { slug } = useOrg()
  const failureText = useFailureText()
  const [isBusy, run] = useTransition()
  const fetchFile = () =>
    run(async () => {
      try {
        await downloadCsv(`${slug}-${file}`, ask)
      } catch (error) {
        toast(failureText(error), { kind: 'error' })
      }
    })
  const says = t('export.block', { title })
  return (
    <button
      type="button"
      className="icon-button stats-csv"
      aria-label={says}
      data-tip={says}
      aria-disabled={isBusy}
      onClick={() => isBusy || fetchFile()}
    >
      <Icon name="download" />
    </button>
  )
}

/** Fetches a block of the summary as a file, by the filters of the address. */
export function BlockCsv({ name, title }: { readonly name: SummaryBlockName; readonly title: string }) {
  const { t } = useTranslation('stats')
  const api = useApi()
  const [query] = useSearchParams()
  return (
    <CsvButton
      title={title}
      file={t(`export.file.${name}`)}
      ask={() => api.stats.exportBlock({ params: { name }, query: filterIn(query) })}
    />
  )
}
