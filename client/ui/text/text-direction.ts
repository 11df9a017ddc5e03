/** The first letter decides, as with `dir="auto"`. `:dir()` cannot be used, because the build rewrites it. */
const beginsRightToLeft = /^\P{L}*[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/** The `dir` of a typed text that may have several lines. */
export const directionOf = (text: string): 'rtl' | 'auto' => (beginsRightToLeft.test(text) ? 'rtl' : 'auto')
