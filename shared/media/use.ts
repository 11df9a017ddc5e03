import { Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Nullable } from '#shared/kernel/list.ts'

/** A smaller quota would be full after a few photos. */
export const minFilesLimitBytes = 100 * 1024 * 1024

export const fileUseApi = {
  getFileUse: endpoint({
    method: 'GET',
    path: '/organization/files',
    access: 'org:update',
    reply: Type.Object({
      bytes: Type.Integer({ minimum: 0, description: 'Of files of messages, templates and ready answers.' }),
      limitBytes: Nullable(
        Type.Integer({ description: 'The lower of what the organization and the installation allow; null: no limit.' }),
      ),
      mostBytes: Nullable(
        Type.Integer({ description: 'What the installation allows each organization; null: no limit.' }),
      ),
    }),
    summary: "How much storage the organization's files use, and its limit.",
  }),
} as const
