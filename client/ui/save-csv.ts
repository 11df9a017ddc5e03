/** Hands the browser comma-separated values as one file. */
export function saveCsv(parts: readonly string[], name: string): void {
  // Spreadsheets take a file without the mark for Latin-1.
  const url = URL.createObjectURL(new Blob(['\uFEFF', ...parts], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${name}.csv`
  link.click()
  URL.revokeObjectURL(url)
}
