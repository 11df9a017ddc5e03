import type { ApiClient } from '../api.ts'
import { saveCsv } from '../ui/save-csv.ts'

/** Fetches the report of a send part by part and hands it to the browser as one file. */
export async function downloadReport(api: ApiClient, id: string, name: string): Promise<void> {
  const parts: string[] = []
  for (let after: number | null | undefined; after !== null; ) {
    const query: { after?: number } = after === undefined ? {} : { after }
    const { csv, next } = await api.bulkSends.getReportCsv({ params: { id }, query })
    parts.push(csv)
    after = next
  }
  saveCsv(parts, name)
}
