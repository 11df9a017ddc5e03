interface LoginResponse {
  readonly authResponse: { readonly code?: string } | null
}

/** The used part of Meta's script. */
export interface FacebookScript {
  init(options: { appId: string; version: string; autoLogAppEvents: boolean; xfbml: boolean }): void
  login(done: (response: LoginResponse) => void, options: object): void
}
