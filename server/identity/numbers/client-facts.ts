/** What a client of the Graph API needs to know about a number. */
export interface ClientFacts {
  kind: 'cloud' | 'sandbox'
  phoneNumberId: string
  wabaId: string
  accessToken: string
  appSecret: string
}
