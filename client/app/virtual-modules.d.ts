declare module 'virtual:emojis/es' {
  const packed: import('#client/ui/controls/emoji-data.ts').PackedEmojis
  export default packed
}
declare module 'virtual:emojis/en' {
  const packed: import('#client/ui/controls/emoji-data.ts').PackedEmojis
  export default packed
}
