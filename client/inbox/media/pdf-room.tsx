/** Placeholder of a PDF's first page. */
export const PdfRoom = () => <span className="pdf-page" />
