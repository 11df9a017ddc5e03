/** The first letter says it, as the browser's `dir="auto"` has it; `:dir()` itself is rewritten when styles are built. */
const beginsRightToLeft = /^\P{L}*[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/** For the `dir` of a text that somebody wrote and that may have several lines. */
export const directionOf = (text: string): 'rtl' | 'auto' => (beginsRightToLeft.test(text) ? 'rtl' : 'auto')
