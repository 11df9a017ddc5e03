import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { ToastsHost } from '#client/ui/feedback/toasts-host.tsx'
import { IconSprite } from '#client/ui/pictures/icon.tsx'
import { useThemeChoice } from '../preferences/theme-choice.ts'

/**
 * The whole document, rendered on both sides. The server also adds styles, preloads and nonces to the head; React
 * ignores unknown elements in `head` and `body`.
 */
export function Document({ nonce, children }: { nonce?: string; children: ReactNode }) {
  const { i18n } = useTranslation()
  const theme = useThemeChoice()
  return (
    <html lang={i18n.language} data-theme={theme} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta property="csp-nonce" nonce={nonce} suppressHydrationWarning />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      </head>
      <body>
        <IconSprite />
        {children}
        <Suspense>
          <ToastsHost />
        </Suspense>
      </body>
    </html>
  )
}
