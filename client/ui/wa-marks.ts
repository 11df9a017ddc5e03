/** What WhatsApp sets apart within a text, by the group that is there: code, bold, italic, struck. Each ends on its line but code. */
export const waMarks =
  /```([\s\S]+?)```|(?<![\p{L}\p{N}{])(?:\*(?=\S)([^*\n]*[^*\s])\*|_(?=\S)([^_\n]*[^_\s])_|~(?=\S)([^~\n]*[^~\s])~)(?![\p{L}\p{N}}])/gu
