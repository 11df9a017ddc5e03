import { downloadCsv } from '#client/ui/files/save-csv.ts'
import type { ApiClient } from '../app/api.ts'

/** Fetches the report of a send and hands it to the browser as one file. */
export const downloadReport = (api: ApiClient, id: string, name: string): Promise<void> =>
  downloadCsv<number>(name, after =>
    api.bulkSends.getReportCsv({ params: { id }, query: after === undefined ? {} : { after } }),
  )
