import { join } from 'node:path'
import type { Config } from '#server/platform/config/config.ts'
import { createFolderStorage } from './folder.ts'
import type { FileStorages } from './storage.ts'

export const openFolders = ({ dataDir }: Pick<Config, 'dataDir'>): FileStorages => ({
  media: createFolderStorage(join(dataDir, 'media')),
  logos: createFolderStorage(join(dataDir, 'logos')),
  pictures: createFolderStorage(join(dataDir, 'pictures')),
})

/**
 * Opens the storages of the environment and checks that they work.
 * @throws InstallationFault for what a person can fix
 */
export async function openFileStorages(config: Pick<Config, 'dataDir' | 's3'>): Promise<FileStorages> {
  if (!config.s3) return openFolders(config)
  // Loaded on demand: installations with files in a folder start without it.
  const { createS3Storage } = await import('./s3.ts')
  const { examineS3 } = await import('./s3-examine.ts')
  await examineS3(config.s3)
  return {
    media: createS3Storage(config.s3, 'media'),
    logos: createS3Storage(config.s3, 'logos'),
    pictures: createS3Storage(config.s3, 'pictures'),
  }
}
