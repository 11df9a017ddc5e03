/** The facts about a number that a client of the Graph API needs. */
export interface ClientFacts {
  kind: 'cloud' | 'sandbox'
  phoneNumberId: string
  wabaId: string
  accessToken: string
  appSecret: string
}
