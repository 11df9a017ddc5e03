interface MoreButtonProps {
  /** A list of pages. @see usePages */
  readonly list: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly isFetchNextPageError: boolean
    fetchNextPage(): unknown
  }
  readonly more: string
  /** Shown if a page could not be loaded. Pressing the button tries again. */
  readonly failed: string
}

/** A button that loads the next page of a list. Not shown on the last page. Keeps the focus while it loads. */
export const MoreButton = ({ list, more, failed }: MoreButtonProps) =>
  list.hasNextPage ? (
    <button
      type="button"
      className="button"
      aria-disabled={list.isFetchingNextPage}
      onClick={() => void list.fetchNextPage()}
    >
      {list.isFetchNextPageError ? failed : more}
    </button>
  ) : null
