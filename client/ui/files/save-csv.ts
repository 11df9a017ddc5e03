interface FilePart<Place> {
  readonly text: string
  readonly next: Place | null
}

/** Fetches a file part by part and hands it to the browser. `name` with its extension. */
export async function downloadParts<Place>(
  name: string,
  type: string,
  ask: (place: Place | undefined) => Promise<FilePart<Place>>,
): Promise<void> {
  const parts: string[] = []
  for (let place: Place | null | undefined; place !== null; ) {
    const { text, next } = await ask(place)
    parts.push(text)
    place = next
  }
  save(parts, name, type)
}

export interface CsvPart<Place> {
  readonly csv: string
  /** The place at which the next part begins. Null: there is none. */
  readonly next: Place | null
}

/** Fetches a report part by part and hands it to the browser as one file. */
export async function downloadCsv<Place>(
  name: string,
  ask: (place: Place | undefined) => Promise<CsvPart<Place>>,
): Promise<void> {
  let isFirst = true
  await downloadParts<Place>(`${name}.csv`, 'text/csv;charset=utf-8', async place => {
    const { csv, next } = await ask(place)
    // Spreadsheets take a file without the mark for Latin-1.
    const text = isFirst ? `\uFEFF${csv}` : csv
    isFirst = false
    return { text, next }
  })
}

function save(parts: readonly string[], name: string, type: string): void {
  const url = URL.createObjectURL(new Blob([...parts], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
