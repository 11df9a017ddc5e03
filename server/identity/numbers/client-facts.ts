/** What the client needs to know of a number to speak with Graph for it. */
export interface ClientFacts {
  kind: 'cloud' | 'sandbox'
  phoneNumberId: string
  wabaId: string
  accessToken: string
  appSecret: string
}
