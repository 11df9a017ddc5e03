import type { StoredImport } from '../store.ts'

/** Whether everything came that another program has. True for uploaded files. */
export const isFetched = ({ remote }: Pick<StoredImport, 'remote'>): boolean => !remote || remote.cursor === null
