export const importSources = ['whatsapp', 'recado', 'chatwoot', 'whaticket'] as const
export type ImportSource = (typeof importSources)[number]
export const importStates = ['uploading', 'reading', 'ready', 'running', 'paused', 'done', 'failed', 'undone'] as const
export type ImportState = (typeof importStates)[number]

/** Why an import cannot continue. */
export const importFailures = [
  'noChat',
  'notArchive',
  'version',
  'group',
  'notZip',
  'zipName',
  'zipLink',
  'zipTwice',
  'zipSize',
  'zipEncrypted',
  'zipBroken',
  'notDump',
  'dumpFormat',
  'cutOff',
  'encoding',
  'columns',
  'tokenRefused',
  'unreachable',
  'oddAnswer',
  'numberGone',
  'noRoom',
  'storage',
  'tooMany',
  'erased',
  'broken',
] as const
export type ImportFailure = (typeof importFailures)[number]

/** Why a line or a file is not taken. */
export const refusals = [
  ...['stray', 'date', 'fileMissing', 'fileTooLarge'],
  ...['record', 'tooLong', 'orphan', 'leftOut'],
  ...['group', 'self', 'noNumber', 'channel', 'notice', 'noteFile'],
] as const
export type Refusal = (typeof refusals)[number]

export const dateOrders = ['dmy', 'mdy', 'ymd'] as const
export type DateOrder = (typeof dateOrders)[number]
