import { Quiet } from '#client/ui/feedback/quiet.tsx'
import { Bell } from '../notifications/bell.tsx'
import { summaryQuery } from '../notifications/queries.ts'
import { SearchButton } from '../palette/search-button.tsx'
import { ThemeMenu } from './theme-menu.tsx'

/** What the header's tools read at first, for the frame's loader to start. */
export const toolQueries = (org: string) => [summaryQuery(org)]

/** At the right of the header: what rooms bring to every page. */
export const HeaderTools = () => (
  <>
    <SearchButton />
    <ThemeMenu />
    <Quiet>
      <Bell />
    </Quiet>
  </>
)
