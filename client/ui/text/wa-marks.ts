/** What WhatsApp sets apart within a text, by the group that is there: block of code, bold, italic, struck, code. Each ends on its line but a block. */
export const waMarks =
  /```([\s\S]+?)```|(?<![\p{L}\p{N}{])(?:\*(?=\S)([^*\n]*[^*\s])\*|_(?=\S)([^_\n]*[^_\s])_|~(?=\S)([^~\n]*[^~\s])~)(?![\p{L}\p{N}}])|`([^`\n]+)`/gu
