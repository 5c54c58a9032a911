// Decodes an answer of getProgramAccounts with JSON.parse and the codecs of kit, and adds up
// what the accounts hold: node accounts.mjs FILE. It writes what that took as JSON.
import { readFileSync } from "node:fs";
import { getAddressDecoder, getBase64Encoder, getStructDecoder, getU64Decoder, getU8Decoder, fixDecoderSize, getBytesDecoder } from "@solana/kit";

const began = process.cpuUsage();
// The part of a token account that is asked for: from the owner on, without the extensions.
const decoder = getStructDecoder([
	["owner", getAddressDecoder()],
	["amount", getU64Decoder()],
	["delegate", fixDecoderSize(getBytesDecoder(), 36)],
	["state", getU8Decoder()],
]);
const withheldAt = 142;
const withheld = getU64Decoder();
const base64 = getBase64Encoder();

const answer = JSON.parse(readFileSync(process.argv[2], "utf8"));
let accounts = 0;
let amount = 0n;
let tax = 0n;
let letters = 0; // so that the owners are not decoded for nothing
for (const { account } of answer.result.value) {
	const bytes = base64.encode(account.data[0]);
	const holding = decoder.decode(bytes);
	accounts++;
	letters += holding.owner.length;
	amount += holding.amount;
	tax += withheld.decode(bytes, withheldAt);
}
const used = process.cpuUsage(began);
process.stdout.write(
	JSON.stringify({
		CPU: (used.user + used.system) * 1000,
		PeakKiB: Number(readFileSync("/proc/self/status", "utf8").match(/VmHWM:\s*(\d+)/)[1]),
		Facts: { accounts, amount: Number(amount), withheld: Number(tax), letters },
	}),
);
