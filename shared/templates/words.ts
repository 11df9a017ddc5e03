/** `DRAFT` is ours: not submitted yet. The others are Meta's; more may be added. */
export const templateStatuses = [
  'DRAFT',
  'PENDING',
  'APPROVED',
  'REJECTED',
  'PAUSED',
  'DISABLED',
  'IN_APPEAL',
  'LIMIT_EXCEEDED',
  'ARCHIVED',
  'FLAGGED',
  'LOCKED',
  'PENDING_DELETION',
] as const
export type TemplateStatus = (typeof templateStatuses)[number]

export const templateCategories = ['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const
/** Whether opted-out contacts must not get it. */
export const isMarketingCategory = (category: string): boolean => category === 'MARKETING'
export type TemplateCategory = (typeof templateCategories)[number]
export const templateQualities = ['GREEN', 'YELLOW', 'RED', 'UNKNOWN'] as const
export type TemplateQuality = (typeof templateQualities)[number]
export const parameterFormats = ['POSITIONAL', 'NAMED'] as const
export type ParameterFormat = (typeof parameterFormats)[number]

/** Meta allows these to be edited; drafts are ours. @see Meta, "Templates › Edit" */
export const isEditable = (status: string): boolean => ['DRAFT', 'APPROVED', 'REJECTED', 'PAUSED'].includes(status)
/** Meta refuses to delete a disabled template. */
export const isDeletable = (status: string): boolean => status !== 'DISABLED' && status !== 'PENDING_DELETION'
