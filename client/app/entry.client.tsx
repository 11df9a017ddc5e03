import './hydration/react-first.ts'
import { MissingPart, reloadPageOnce } from './hydration/missing-part.ts'
import { tellStuck } from './hydration/stuck-page.ts'
import { routes } from './routes/routes.tsx'
import { startPage } from './start-page.tsx'
import '#client/ui/styles/tokens.css'
import '#client/ui/styles/base.css'
import '#client/ui/styles/primitives.css'
import '#client/ui/styles/controls.css'
import '#client/shell/plain.css'
import '#client/ui/styles/message-parts.css'

startPage(routes).catch(async error => {
  if (error instanceof MissingPart && (await reloadPageOnce())) return
  tellStuck()
  throw error
})
