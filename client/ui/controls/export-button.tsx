import { useTransition } from 'react'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { toast } from '../feedback/toasts.tsx'
import { type CsvPart, downloadCsv } from '../files/save-csv.ts'
import { Icon } from '../pictures/icon.tsx'

interface ExportButtonProps {
  /** The file's name without its extension. */
  readonly name: string
  readonly says: string
  readonly saysBusy: string
  /** Loads the part after `place`; without one, the first part. */
  ask(place: string | undefined): Promise<CsvPart<string>>
}

/** Downloads a report, which comes in parts, as one file. */
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
