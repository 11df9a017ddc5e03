export interface LoginResponse {
  readonly authResponse: { readonly code?: string } | null
}

/** As much of Meta's script as is used. */
export interface FacebookScript {
  init(options: { appId: string; version: string; autoLogAppEvents: boolean; xfbml: boolean }): void
  login(done: (response: LoginResponse) => void, options: object): void
}
