import { useTransition } from 'react'
import { useFailureText } from '#client/app/use-api.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { type CsvPart, downloadCsv } from '#client/ui/files/save-csv.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'

interface ExportButtonProps {
  /** Of the file, without its ending. */
  readonly name: string
  readonly says: string
  readonly saysBusy: string
  /** The part behind a place, the first one behind none. */
  ask(place: string | undefined): Promise<CsvPart<string>>
}

/** Fetches all of a report part by part, as one file. */
export function ExportButton({ name, says, saysBusy, ask }: ExportButtonProps) {
  const failureText = useFailureText()
  const [isExporting, run] = useTransition()
  const exportAll = () =>
    run(async () => {
      try {
        await downloadCsv(name, ask)
      } catch (error) {
        toast(failureText(error), { kind: 'error' })
      }
    })
  return (
    <button type="button" className="button" aria-disabled={isExporting} onClick={() => isExporting || exportAll()}>
      <Icon name="download" />
      {isExporting ? saysBusy : says}
    </button>
  )
}
