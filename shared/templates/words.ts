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
/** Submitted, and not decided yet. */
export const statusUnderReview: TemplateStatus = 'PENDING'
/** For lists of templates that can be sent. */
export const statusApproved = 'APPROVED' as const
export const statusRejected = 'REJECTED' as const
/** Meta decides about a template, or about an objection to its decision. */
export const isUnderReview = (status: string): boolean => status === statusUnderReview || status === 'IN_APPEAL'

const verdicts = { APPROVED: 'approved', REJECTED: 'rejected', PAUSED: 'paused', DISABLED: 'disabled' } as const
/**
 * Meta's decision about a template, in our words. Undefined: a draft, a template under review, or a status without
 * consequences here.
 */
export const verdictOf = (status: string): (typeof verdicts)[keyof typeof verdicts] | undefined =>
  Object.hasOwn(verdicts, status) ? verdicts[status as keyof typeof verdicts] : undefined
/** Only approved templates can be sent. */
export const isApproved = (status: string): status is typeof statusApproved => status === statusApproved

export const templateCategories = ['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const
export type TemplateCategory = (typeof templateCategories)[number]
/** True for marketing, which opted-out contacts must not get. */
export const isMarketingCategory = (category: string): boolean => category === 'MARKETING'
export const categoryOfCodes = 'AUTHENTICATION' as const
/** Templates with a code to sign in with have contents of their own. */
export const isCodeCategory = (category: string): boolean => category === categoryOfCodes
/** The category that a new template begins with. */
export const firstCategory: TemplateCategory = 'UTILITY'
export const templateQualities = ['GREEN', 'YELLOW', 'RED', 'UNKNOWN'] as const
export type TemplateQuality = (typeof templateQualities)[number]
export const unratedQuality: TemplateQuality = 'UNKNOWN'

const ratings = { GREEN: 'high', YELLOW: 'medium', RED: 'low' } as const
/** Meta's rating in our words: low if many people block or report the template. Undefined: not rated yet. */
export const ratingOf = (quality: string): (typeof ratings)[keyof typeof ratings] | undefined =>
  Object.hasOwn(ratings, quality) ? ratings[quality as keyof typeof ratings] : undefined
export const qualityMedium: TemplateQuality = 'YELLOW'

/** Meta's notes about a pause: which one it is, or that the template is not sent any more. */
const pauseNotes = ['FIRST_PAUSE', 'SECOND_PAUSE', 'DISABLED'] as const
export const isPauseNote = (note: string): note is (typeof pauseNotes)[number] =>
  (pauseNotes as readonly string[]).includes(note)

export const parameterFormats = ['POSITIONAL', 'NAMED'] as const
export type ParameterFormat = (typeof parameterFormats)[number]

/** Meta allows these to be edited; drafts are ours. @see Meta, "Templates › Edit" */
export const isEditable = (status: string): boolean => ['DRAFT', 'APPROVED', 'REJECTED', 'PAUSED'].includes(status)
/** Meta refuses to delete a disabled template. */
export const isDeletable = (status: string): boolean => status !== 'DISABLED' && status !== 'PENDING_DELETION'
