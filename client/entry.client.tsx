import './react-first.ts'
import { MissingPart, reloadPageOnce } from './missing-part.ts'
import { routes } from './routes.tsx'
import { startPage } from './start-page.tsx'
import { tellStuck } from './stuck-page.ts'
import './tokens.css'
import './base.css'
import './controls.css'
import './shell/plain.css'
import './ui/message-parts.css'

startPage(routes).catch(async error => {
  if (error instanceof MissingPart && (await reloadPageOnce())) return
  tellStuck()
  throw error
})
