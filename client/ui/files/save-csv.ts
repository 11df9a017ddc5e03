export interface CsvPart<Place> {
  readonly csv: string
  /** Where the next part begins; null: there is none. */
  readonly next: Place | null
}

/** Fetches a report part by part and hands it to the browser as one file. */
export async function downloadCsv<Place>(
  name: string,
  ask: (place: Place | undefined) => Promise<CsvPart<Place>>,
): Promise<void> {
  const parts: string[] = []
  for (let place: Place | null | undefined; place !== null; ) {
    const { csv, next } = await ask(place)
    parts.push(csv)
    place = next
  }
  saveCsv(parts, name)
}

/** Hands the browser comma-separated values as one file. */
function saveCsv(parts: readonly string[], name: string): void {
  // Spreadsheets take a file without the mark for Latin-1.
  const url = URL.createObjectURL(new Blob(['\uFEFF', ...parts], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${name}.csv`
  link.click()
  URL.revokeObjectURL(url)
}
