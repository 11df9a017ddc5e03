import type { ApiClient } from '../app/api.ts'
import { downloadCsv } from '../ui/save-csv.ts'

/** Fetches the report of a send and hands it to the browser as one file. */
export const downloadReport = (api: ApiClient, id: string, name: string): Promise<void> =>
  downloadCsv<number>(name, after =>
    api.bulkSends.getReportCsv({ params: { id }, query: after === undefined ? {} : { after } }),
  )
