import { config } from '../config';

const USDC: Readonly<Record<string, string>> = {
  devnet: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
};

/** The mint of USDC on this network. */
export const usdc = (): string => USDC[config.network] ?? 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
