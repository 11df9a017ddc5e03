import { downloadCsv } from '#client/ui/files/save-csv.ts'
import type { ApiClient } from '../app/api.ts'

/** Downloads the report of a send as one file. */
export const downloadReport = (api: ApiClient, id: string, name: string): Promise<void> =>
  downloadCsv<number>(name, after =>
    api.bulkSends.getReportCsv({ params: { id }, query: after === undefined ? {} : { after } }),
  )
