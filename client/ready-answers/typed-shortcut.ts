/** A slash at the beginning of a word, with what follows. */
const beginning = /(?:^|\s)\/([^\s/]{0,40})$/

/** The shortcut being typed at the caret, without the slash. Undefined: none. */
export const typedShortcut = (text: string, caret: number): { from: number; typed: string } | undefined => {
  const found = beginning.exec(text.slice(0, caret))
  return found ? { from: caret - (found[1] as string).length - 1, typed: found[1] as string } : undefined
}

/** True if the last line is only a shortcut, which is probably not meant to be sent. */
export const endsInShortcut = (text: string): boolean => /(?:^|\n)[^\S\n]*\/[^\s/]{0,40}\s*$/.test(text)
