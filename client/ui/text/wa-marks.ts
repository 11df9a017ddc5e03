/**
 * WhatsApp's formatting; the matched group is code block, bold, italic, strikethrough or code. All but a code block
 * end on their line.
 */
export const waMarks =
  /```([\s\S]+?)```|(?<![\p{L}\p{N}{])(?:\*(?=\S)([^*\n]*[^*\s])\*|_(?=\S)([^_\n]*[^_\s])_|~(?=\S)([^~\n]*[^~\s])~)(?![\p{L}\p{N}}])|`([^`\n]+)`/gu
