import { type Bytes, isZip, openZipFiles } from '../reading/zip-files.ts'
import { ImportStopped } from '../work/stopped.ts'

/** A chat with its files. */
export interface ChatSource {
  /** The chat's text. */
  openText(): Promise<AsyncIterable<Uint8Array>>
  /** Bytes of a file by its name. Undefined: it is not in the export. */
  sizeOf(name: string): number | undefined
  openFile(name: string): Promise<AsyncIterable<Uint8Array> | undefined>
  close(): void
}

const limits = { entries: 50_000, unpackedBytes: 16 * 1024 ** 3 }
const baseName = (name: string) => name.slice(name.lastIndexOf('/') + 1)

/** The file with the chat: `_chat.txt` of an iPhone, or the text that Android names after the chat. */
const chatAmong = (names: readonly string[]): string | undefined => {
  const texts = names.filter(name => /\.txt$/i.test(name))
  return (
    texts.find(name => /(?:^|[/\s-])_chat\.txt$/i.test(name)) ??
    texts.find(name => /whatsapp/i.test(baseName(name))) ??
    (texts.length === 1 ? texts[0] : undefined)
  )
}

async function openArchive(bytes: Bytes): Promise<ChatSource> {
  const zip = await openZipFiles(bytes, limits)
  const chat = chatAmong(zip.names)
  if (chat === undefined) {
    zip.close()
    throw new ImportStopped('noChat')
  }
  const folder = chat.slice(0, chat.length - baseName(chat).length)
  return {
    openText: async () => zip.open(chat) as AsyncIterable<Uint8Array>,
    sizeOf: name => zip.sizeOf(folder + name),
    openFile: async name => zip.open(folder + name),
    close: () => zip.close(),
  }
}

/** The chat in an uploaded file: an archive, or its text alone. @throws ImportStopped */
export async function openChatSource(bytes: Bytes): Promise<ChatSource> {
  if (await isZip(bytes)) return openArchive(bytes)
  return {
    openText: async () => bytes.read(0, bytes.size),
    sizeOf: () => undefined,
    openFile: async () => undefined,
    close() {},
  }
}
