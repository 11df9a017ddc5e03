/** Templates that Meta puts into new accounts. */
export const metaSamples: readonly string[] = [
  'hello_world',
  'sample_flight_confirmation',
  'sample_happy_hour_announcement',
  'sample_issue_resolution',
  'sample_movie_ticket_confirmation',
  'sample_purchase_feedback',
  'sample_shipping_confirmation',
]

/** True for the samples that Meta puts into each new account. Nobody sends them to customers. */
export const isMetaSample = (name: string): boolean => metaSamples.includes(name)
