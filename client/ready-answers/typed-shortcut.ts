/** What is typed behind a bar where a word can begin. */
const beginning = /(?:^|\s)\/([^\s/]{0,40})$/

/** The shortcut that is being typed at the caret, without its bar; undefined: none is. */
export const typedShortcut = (text: string, caret: number): { from: number; typed: string } | undefined => {
  const found = beginning.exec(text.slice(0, caret))
  return found ? { from: caret - (found[1] as string).length - 1, typed: found[1] as string } : undefined
}

/** Whether the last line is a shortcut and nothing else: whoever meant a ready answer did not mean to send its name. */
export const endsInShortcut = (text: string): boolean => /(?:^|\n)[^\S\n]*\/[^\s/]{0,40}\s*$/.test(text)
