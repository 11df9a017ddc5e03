import type { ApiClient } from '#client/app/calls/api.ts'
import { downloadCsv } from '#client/ui/files/save-csv.ts'

/** Downloads the report of a send as one file. */
export const downloadReport = (api: ApiClient, id: string, name: string): Promise<void> =>
  downloadCsv<number>(name, after =>
    api.bulkSends.getReportCsv({ params: { id }, query: after === undefined ? {} : { after } }),
  )
