import { act, cleanup, renderHook, waitFor } from '@testing-library/preact';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { useLoad } from '../src/api/load';
import { refreshed, usePages } from '../src/api/pages';

afterEach(cleanup);

interface Numbers {
  readonly numbers: readonly number[];
  readonly nextCursor: string | null;
}
const list = {
  page: async (): Promise<Numbers> => ({ numbers: [], nextCursor: null }),
  items: (p: Numbers) => p.numbers,
  id: (n: number) => n,
};

describe('a response', () => {
  it('is shared by two components with one key, and asked for again on reload', async () => {
    let calls = 0;
    const call = async () => ++calls;
    const first = renderHook(() => useLoad('one', call));
    const second = renderHook(() => useLoad('one', call));
    await waitFor(() => expect([first.result.current.data, second.result.current.data]).toEqual([1, 1]));
    const third = renderHook(() => useLoad('one', call));
    // Known data is shown at once.
    expect(third.result.current.data).toBe(1);
    await waitFor(() => expect(third.result.current.loading).toBe(false));
    expect(calls).toBe(1);
    await act(() => first.result.current.reload());
    await waitFor(() => expect(first.result.current.data).toBe(2));
    expect(calls).toBe(2);
  });

  it('of a failed call is not kept', async () => {
    const call = vi.fn().mockRejectedValueOnce(new Error('no')).mockResolvedValue(7);
    const first = renderHook(() => useLoad('bad', call));
    await waitFor(() => expect(first.result.current.problem).not.toBeNull());
    const second = renderHook(() => useLoad('bad', call));
    await waitFor(() => expect(second.result.current.data).toBe(7));
  });
});

describe('a list', () => {
  it('keeps what newer items push off the first page', () => {
    const kept = { items: [3, 2, 1], cursor: 'older' };
    expect(refreshed(kept, { numbers: [5, 4, 3], nextCursor: 'two' }, list)).toEqual({
      items: [5, 4, 3, 2, 1],
      cursor: 'older',
    });
  });

  it('begins again after more than a page of new items, which would be missing between', () => {
    const kept = { items: [3, 2, 1], cursor: 'older' };
    expect(refreshed(kept, { numbers: [9, 8, 7], nextCursor: 'seven' }, list)).toEqual({
      items: [9, 8, 7],
      cursor: 'seven',
    });
  });

  it('is read page by page, and a problem of a page is shown and retried', async () => {
    const page = vi.fn(async (cursor?: string): Promise<Numbers> => {
      if (!cursor) return { numbers: [4, 3], nextCursor: 'three' };
      if (page.mock.calls.length === 2) throw new Error('no');
      return { numbers: [3, 2], nextCursor: null };
    });
    const { result } = renderHook(() => usePages('numbers', { ...list, page }));
    await waitFor(() => expect(result.current.items).toEqual([4, 3]));
    await act(() => result.current.more?.());
    await waitFor(() => expect(result.current.problem).not.toBeNull());
    await act(() => result.current.more?.());
    await waitFor(() => expect(result.current.items).toEqual([4, 3, 2]));
    expect(result.current.more).toBeNull();
    expect(result.current.problem).toBeNull();
  });
});
