/** Without these, what customers or colleagues write is not seen here: the connection check is red. */
export const vitalFields: readonly string[] = ['messages', 'standby', 'messaging_handovers', 'calls', 'history']

/** What an app has to be subscribed to beside them, so that nothing is learned late. */
const usefulFields: readonly string[] = [
  'message_template_status_update',
  'message_template_quality_update',
  'message_template_components_update',
  'template_category_update',
  'user_preferences',
  'business_capability_update',
  'phone_number_quality_update',
  'phone_number_name_update',
  'account_update',
  'account_review_update',
  'account_alerts',
  'account_settings_update',
  'payment_configuration_update',
  'security',
]

export const wantedFields: readonly string[] = [...vitalFields, ...usefulFields]

/** Fields of which nothing is shown, and why; their webhooks are kept as they came. */
export const unshownFields: Readonly<Record<string, string>> = {
  automatic_events: 'what Meta guesses of purchases and leads; it is for its advertisements',
  tracking_events: 'clicks that Meta counts; they come without the chat they belong to',
  partner_solutions: 'between Meta and companies that manage accounts of others; not of this account',
}
