import { defineFeature } from '#server/platform/wiring/feature.ts'
import { forgetBringersWhoLeft } from './bringers.ts'
import { createMediaFetcher, type MediaService } from './fetcher.ts'
import { createFileQuota } from './quota.ts'
import { createReceivedFiles, type ReceivedFiles } from './received.ts'
import { mountMedia } from './routes.ts'
import { createUploads, type Uploads } from './uploads.ts'

declare module '#server/platform/wiring/feature.ts' {
  interface Parts {
    /** The files of messages. */
    media: MediaService
    /** Files that a request uploaded and nothing has taken yet. */
    files: ReceivedFiles
    /** Copies of our files at WhatsApp. */
    uploads: Uploads
  }
}

export const media = defineFeature({
  name: 'media',
  needs: ['numbers', 'notifications'],
  later: ['messageStates'],
  create(parts, later) {
    const { config, databases, storages, notifications } = parts
    const storage = storages.media
    const quota = createFileQuota({
      ...parts,
      notifyRoles: notifications.notifyRoles,
      mostBytes: config.filesQuotaBytes,
    })
    const files = createReceivedFiles({ ...parts, storage, quota })
    const uploads = createUploads({
      ...parts,
      storage,
      applyDelivery: (...of) => later.messageStates.applyDelivery(...of),
    })
    const fetcher = createMediaFetcher({
      ...parts,
      emitChanges: (...of) => later.messageStates.emitChanges(...of),
      quota,
      storage,
    })
    return {
      provides: { media: fetcher, files, uploads },
      services: { media: fetcher.service, fileUse: quota.service },
      routes: app => mountMedia(app, { media: fetcher }),
      listeners: [fetcher.listener],
      chores: [
        { name: 'files of calls that died', run: () => files.prune() },
        { name: 'uploaders of files who have left', run: () => forgetBringersWhoLeft(databases) },
        { name: 'copies of files at WhatsApp', run: () => uploads.prune() },
      ],
    }
  },
})
