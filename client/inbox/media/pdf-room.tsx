/** Where the first page of a PDF will be. */
export const PdfRoom = () => <span className="pdf-page" />
