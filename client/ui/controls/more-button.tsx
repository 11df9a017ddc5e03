interface MoreButtonProps {
  /** A list of pages. @see usePages */
  readonly list: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly isFetchNextPageError: boolean
    fetchNextPage(): unknown
  }
  readonly more: string
  /** Said after a page could not be had; pressing asks again. */
  readonly failed: string
}

/** The next page of a list, asked for by hand; nothing where there is none. Keeps the focus while it loads. */
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
