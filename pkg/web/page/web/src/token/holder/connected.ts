import { useEffect, useState } from 'preact/hooks';

/** Returns the address of the connected wallet, or null. The wallet's code is fetched when the page is idle. */
export function useConnected(): string | null {
  const [address, set] = useState<string | null>(null);
  useEffect(() => {
    let over = false;
    let stop = () => {};
    const timer = setTimeout(() => {
      import('../../wallet/session').then(
        ({ begin, connected }) => {
          if (over) return;
          begin();
          stop = connected.subscribe((wallet) => set(wallet?.account.address ?? null));
        },
        () => {}, // the address can be typed all the same
      );
    }, 1_000);
    return () => {
      over = true;
      clearTimeout(timer);
      stop();
    };
  }, []);
  return address;
}
