package diag

// The codes that `bundle` reports. Those about a file as a container come first, then names, JSON, and what the
// manifest and the definition say about each other.
const (
	CodeBuildCompressed     Code = "build_compressed"
	CodeBuildNotTar         Code = "build_not_tar"
	CodeBuildTruncated      Code = "build_truncated"
	CodeBuildTrailingData   Code = "build_trailing_data"
	CodeBuildTooLarge       Code = "build_too_large"
	CodeBuildTooManyEntries Code = "build_too_many_entries"

	CodeEntryHeader    Code = "entry_header"
	CodeEntryTooLarge  Code = "entry_too_large"
	CodeEntryPadding   Code = "entry_padding"
	CodeEntrySymlink   Code = "entry_symlink"
	CodeEntryHardLink  Code = "entry_hard_link"
	CodeEntryDevice    Code = "entry_device"
	CodeEntryFolder    Code = "entry_folder"
	CodeEntryExtension Code = "entry_extension"
	CodeEntryType      Code = "entry_type"
	CodeEntryDuplicate Code = "entry_duplicate"
	CodeEntryCaseClash Code = "entry_case_clash"
	CodeEntryLitter    Code = "entry_litter"
	CodeExtraFile      Code = "extra_file"
	CodeExtraBlob      Code = "extra_blob"

	CodePathEscapes   Code = "path_escapes"
	CodePathAbsolute  Code = "path_absolute"
	CodePathDrive     Code = "path_drive"
	CodePathBackslash Code = "path_backslash"
	CodePathControl   Code = "path_control"
	CodePathReserved  Code = "path_reserved"
	CodePathUnclean   Code = "path_unclean"
	CodePathNotASCII  Code = "path_not_ascii"
	CodePathTooLong   Code = "path_too_long"

	CodeBuildJSONSyntax     Code = "build_json_syntax"
	CodeBuildJSONDuplicate  Code = "build_json_duplicate_member"
	CodeBuildJSONTrailing   Code = "build_json_trailing_data"
	CodeBuildJSONTooDeep    Code = "build_json_too_deep"
	CodeBuildJSONTooLarge   Code = "build_json_too_large"
	CodeBuildJSONValues     Code = "build_json_too_many_values"
	CodeBuildJSONUTF8       Code = "build_json_not_utf8"
	CodeBuildJSONSurrogate  Code = "build_json_lone_surrogate"
	CodeBuildJSONInexact    Code = "build_json_inexact_number"
	CodeBuildJSONForm       Code = "build_json_not_canonical"
	CodeBuildMemberUnknown  Code = "build_member_unknown"
	CodeBuildMemberMissing  Code = "build_member_missing"
	CodeBuildMemberWrong    Code = "build_member_wrong"
	CodeDigestAlgorithm     Code = "digest_algorithm"
	CodeDigestMalformed     Code = "digest_malformed"
	CodeLayoutFileMissing   Code = "layout_file_missing"
	CodeBlobName            Code = "blob_name"
	CodeBlobMissing         Code = "blob_missing"
	CodeBlobDigest          Code = "blob_digest"
	CodeBlobSize            Code = "blob_size"
	CodeIndexMismatch       Code = "index_mismatch"
	CodeNoBuild             Code = "no_build"
	CodeAmbiguousBuild      Code = "ambiguous_build"
	CodeBuildDigest         Code = "build_digest"
	CodeUnknownManifest     Code = "unknown_manifest"
	CodeUnknownBuildType    Code = "unknown_build_type"
	CodeUnknownRuntime      Code = "unknown_runtime_contract"
	CodeContractMismatch    Code = "contract_mismatch"
	CodeLayerTitleUnknown   Code = "layer_title_unknown"
	CodeLayerTitleDuplicate Code = "layer_title_duplicate"
	CodeLayerTitleClash     Code = "layer_title_clash"
	CodeLayerOrder          Code = "layer_order"
	CodeLayerMediaType      Code = "layer_media_type"
	CodeLayerMissing        Code = "layer_missing"
	CodeLayerUnexpected     Code = "layer_unexpected"
	CodeLayerDiffers        Code = "layer_differs"
	CodeLayerTooLarge       Code = "layer_too_large"
	CodeLayerText           Code = "layer_text"

	CodeAttachmentSubject  Code = "attachment_subject"
	CodeUnknownAttachment  Code = "unknown_attachment"
	CodeAttachmentConfig   Code = "attachment_config"
	CodeAttachmentLayers   Code = "attachment_layers"
	CodeAttachmentEmpty    Code = "attachment_empty"
	CodeAttachmentTooLarge Code = "attachment_too_large"
	CodeTooManyAttachments Code = "too_many_attachments"
	CodeReferrersIndex     Code = "referrers_index"
)

// Remedies that several codes share.
const (
	helpFetchAgain = "get the Build again from where it was published, or build it again"
	helpRepack     = "do not repack a Build by hand; write it again by `seifc build`"
	helpForged     = "do not use this Build: it was not written by `seifc`"
	helpRename     = "give the source another id"
)

var bundleCodes = []Entry{
	{
		Code: CodeBuildCompressed, Severity: Error, Room: "bundle",
		Message: "the file is compressed ({format})",
		Help:    "decompress it first: a Build file is an uncompressed tar",
		Explain: "A Build is read without a decompressor, so that no small file can turn into a large one and no two files of\n" +
			"different bytes hold one Build by the choice of a compressor.",
	},
	{
		Code: CodeBuildNotTar, Severity: Error, Room: "bundle",
		Message: "the file is not a Build: {why}",
		Help:    "name a `.seif` file or the folder of a Build",
		Explain: "A Build file is an uncompressed tar in the USTAR format whose first entry is a regular file.",
	},
	{
		Code: CodeBuildTruncated, Severity: Error, Room: "bundle",
		Message: "the file ends too early[[, inside of {entry}]]",
		Help:    helpFetchAgain,
		Explain: "A Build file ends with two blocks of zeros. A file without them was cut off, most often by a download that did\n" +
			"not finish. Nothing of it is used.",
	},
	{
		Code: CodeBuildTrailingData, Severity: Error, Room: "bundle",
		Message: "something follows the end of the archive",
		Help:    helpRepack,
		Explain: "Two blocks of zeros end a Build file, and no more. What follows them would be in no digest.",
	},
	{
		Code: CodeBuildTooLarge, Severity: Error, Room: "bundle",
		Message: "the Build has more than {limit} bytes",
		Help:    "take texts out, or make them run-time inputs",
		Explain: "All files of a Build together have at most 256 MiB. The limit is checked against the stated sizes before anything\n" +
			"is read, and against what arrives while it is read.",
	},
	{
		Code: CodeBuildTooManyEntries, Severity: Error, Room: "bundle",
		Message: "the Build has more than {limit} files",
		Help:    "put several sources into one file",
		Explain: "The number of files is bounded, so that an archive of millions of empty ones cannot take the memory of its reader.",
	},
	{
		Code: CodeEntryHeader, Severity: Error, Room: "bundle",
		Message: "the header of {entry} is not sound: {why}",
		Help:    helpFetchAgain,
		Explain: "Every entry of a Build file has a USTAR header: a checksum in the form that POSIX gives it, a size in eleven octal\n" +
			"digits, and zeros in all that a regular file does not use.",
	},
	{
		Code: CodeEntryTooLarge, Severity: Error, Room: "bundle",
		Message: "{entry} states {found} bytes; at most {limit} are allowed",
		Help:    "split the text into several sources",
		Explain: "One file of a Build has at most 64 MiB, a manifest or an index 4 MiB. The stated size is checked before a byte is\n" +
			"read or memory taken.",
	},
	{
		Code: CodeEntryPadding, Severity: Error, Room: "bundle",
		Message: "the bytes that fill up the last block of {entry} are not zero",
		Help:    helpRepack,
		Explain: "Bytes between two entries are in no digest, so nothing may stand there.",
	},
	{
		Code: CodeEntrySymlink, Severity: Error, Room: "bundle",
		Message: "{entry} is a symbolic link[[ to {target}]]",
		Help:    "a Build has regular files only",
		Explain: "A link can lead out of the folder that a Build is in, and what it leads to can change after it was verified.",
	},
	{
		Code: CodeEntryHardLink, Severity: Error, Room: "bundle",
		Message: "{entry} is a hard link[[ to {target}]]",
		Help:    "a Build has regular files only",
		Explain: "A hard link in an archive names a file by a path. Tools have checked that path against one folder and opened it in\n" +
			"another.",
	},
	{
		Code: CodeEntryDevice, Severity: Error, Room: "bundle",
		Message: "{entry} is a {kind}",
		Help:    "a Build has regular files only",
		Explain: "Devices, pipes and sockets have no content that a digest could name.",
	},
	{
		Code: CodeEntryFolder, Severity: Error, Room: "bundle",
		Message: "{entry} is a folder entry",
		Help:    helpRepack,
		Explain: "A Build file lists regular files only; in a Build folder there are no folders but `blobs` and `blobs/sha256`.",
	},
	{
		Code: CodeEntryExtension, Severity: Error, Room: "bundle",
		Message: "{entry} uses an extension of the tar format: {kind}",
		Help:    helpRepack,
		Explain: "PAX and GNU extensions can give a file another name, size or type than its header states, and readers differ in\n" +
			"what they make of them. Only plain USTAR is read.",
	},
	{
		Code: CodeEntryType, Severity: Error, Room: "bundle",
		Message: "{entry} is of the unknown entry type {type}",
		Help:    "a Build has regular files only",
		Explain: "Only the entry type `0` of the USTAR format is read.",
	},
	{
		Code: CodeEntryDuplicate, Severity: Error, Room: "bundle",
		Message: "{entry} stands twice in the archive",
		Help:    helpForged,
		Explain: "Of two entries of one name some tools take the first and some the last, so one of them could be verified and the\n" +
			"other be used.",
	},
	{
		Code: CodeEntryCaseClash, Severity: Error, Room: "bundle",
		Message: "{entry} and {other} differ in case only",
		Help:    helpForged,
		Explain: "Where the file system folds case, one of the two would overwrite the other.",
	},
	{
		Code: CodeEntryLitter, Severity: Error, Room: "bundle",
		Message: "{entry} is litter of an operating system and not part of the Build",
		Help:    "delete it; on a Mac pack with `COPYFILE_DISABLE=1`",
		Explain: "Desktop systems leave files such as .DS_Store, ._NAME and Thumbs.db in folders and archives. A file that no digest\n" +
			"names is never skipped, since nobody would notice one that does harm.",
	},
	{
		Code: CodeExtraFile, Severity: Error, Room: "bundle",
		Message: "{entry} is not part of the Build",
		Help:    "delete it, or name another folder if this is not the folder of a Build",
		Explain: "A Build has the files `oci-layout`, `index.json` and those below `blobs/sha256` that its manifest names, and no\n" +
			"other one.",
	},
	{
		Code: CodeExtraBlob, Severity: Error, Room: "bundle",
		Message: "no manifest names the blob {entry}",
		Help:    helpFetchAgain,
		Explain: "A blob that the manifest does not name is in no signature. It is refused and not skipped.",
	},
	{
		Code: CodePathEscapes, Severity: Error, Room: "bundle",
		Message: "the {what} {name} leads out of the Build (`..`)",
		Help:    helpForged,
		Explain: "A tool that unpacks such a name writes outside of the folder it was told to write to.",
	},
	{
		Code: CodePathAbsolute, Severity: Error, Room: "bundle",
		Message: "the {what} {name} is an absolute path",
		Help:    helpForged,
		Explain: "A tool that unpacks such a name writes outside of the folder it was told to write to.",
	},
	{
		Code: CodePathDrive, Severity: Error, Room: "bundle",
		Message: "the {what} {name} begins with a drive letter",
		Help:    helpForged,
		Explain: "On Windows such a name is on another drive, whatever folder it is joined to.",
	},
	{
		Code: CodePathBackslash, Severity: Error, Room: "bundle",
		Message: "the {what} {name} has a backslash",
		Help:    helpForged,
		Explain: "On Windows a backslash separates folders, elsewhere it is part of a name. The names of a Build have forward slashes.",
	},
	{
		Code: CodePathControl, Severity: Error, Room: "bundle",
		Message: "the {what} {name} has a control character",
		Help:    helpForged,
		Explain: "Control characters change what a terminal shows, and a NUL ends a name for some programs and not for others.",
	},
	{
		Code: CodePathReserved, Severity: Error, Room: "bundle",
		Message: "the {what} {name} cannot be a file name on Windows",
		Help:    helpRename,
		Explain: "Names such as `con`, `nul` or `com1`, with any ending, are devices on Windows, and `< > : \" | ? *` cannot stand in a\n" +
			"name there. Every Build can be unpacked everywhere.",
	},
	{
		Code: CodePathUnclean, Severity: Error, Room: "bundle",
		Message: "the {what} {name} is not in its shortest form",
		Help:    helpRepack,
		Explain: "A name has no empty part, no `.` and no slash at its end, so that one file has one name.",
	},
	{
		Code: CodePathNotASCII, Severity: Error, Room: "bundle",
		Message: "the {what} {name} has a character outside of ASCII",
		Help:    helpForged,
		Explain: "Every name in a Build is ASCII. So two names can never be one after Unicode normalisation or case folding, which\n" +
			"file systems do differently.",
	},
	{
		Code: CodePathTooLong, Severity: Error, Room: "bundle",
		Message: "the {what} {name} is longer than {limit} bytes",
		Help:    helpForged,
		Explain: "Names are bounded, so that a Build can be unpacked everywhere.",
	},
	{
		Code: CodeBuildJSONSyntax, Severity: Error, Room: "bundle",
		Message: "{document} is not JSON at byte {offset}",
		Help:    helpFetchAgain,
		Explain: "The documents of a Build are JSON as RFC 8259 has it, without a byte order mark.",
	},
	{
		Code: CodeBuildJSONDuplicate, Severity: Error, Room: "bundle",
		Message: "{document} has the member {member} twice",
		Help:    helpForged,
		Explain: "Of two members of one name some readers take the first and some the last, so one could be verified and the other be\n" +
			"used.",
	},
	{
		Code: CodeBuildJSONTrailing, Severity: Error, Room: "bundle",
		Message: "something follows the JSON value of {document} at byte {offset}",
		Help:    helpForged,
		Explain: "A document of a Build is one JSON value and nothing else.",
	},
	{
		Code: CodeBuildJSONTooDeep, Severity: Error, Room: "bundle",
		Message: "{document} is nested more than 64 deep",
		Help:    helpForged,
		Explain: "The depth is bounded, so that no reader in the chain runs out of stack or time.",
	},
	{
		Code: CodeBuildJSONTooLarge, Severity: Error, Room: "bundle",
		Message: "{document} has {found} bytes; at most {limit} are allowed",
		Help:    "use fewer sources: every one has its line in the manifest",
		Explain: "A manifest and an index have at most 4 MiB each, a definition, the tests and the corpus 64 MiB each.",
	},
	{
		Code: CodeBuildJSONValues, Severity: Error, Room: "bundle",
		Message: "{document} has too many values",
		Help:    "make the Project smaller",
		Explain: "The number of values is bounded, because a value takes far more memory than its text.",
	},
	{
		Code: CodeBuildJSONUTF8, Severity: Error, Room: "bundle",
		Message: "{document} is not UTF-8 at byte {offset}",
		Help:    helpForged,
		Explain: "Readers replace bytes that are not UTF-8 in different ways, so one digest could stand for different texts.",
	},
	{
		Code: CodeBuildJSONSurrogate, Severity: Error, Room: "bundle",
		Message: "{document} has half of a surrogate pair at byte {offset}",
		Help:    helpForged,
		Explain: "Half of a surrogate pair is no character. Readers replace it in different ways, so one digest could stand for\n" +
			"different texts.",
	},
	{
		Code: CodeBuildJSONInexact, Severity: Error, Room: "bundle",
		Message: "the number {number} in {document} has no exact canonical form",
		Help:    helpForged,
		Explain: "RFC 8785 writes numbers as IEEE 754 doubles. A number that this would change is refused, since otherwise two\n" +
			"different contracts had one fingerprint.",
	},
	{
		Code: CodeBuildJSONForm, Severity: Error, Room: "bundle",
		Message: "{document} is not in canonical form at byte {offset}",
		Help:    helpForged,
		Explain: "The documents of a Build are written in their one RFC 8785 form, so that one meaning has one digest.",
	},
	{
		Code: CodeBuildMemberUnknown, Severity: Error, Room: "bundle",
		Message: "{document} has the unknown member {member}",
		Help:    "use a release of `seifc` that knows it, if there is one",
		Explain: "A member that this version does not know could change what the others mean, so it is never skipped.",
	},
	{
		Code: CodeBuildMemberMissing, Severity: Error, Room: "bundle",
		Message: "{document} lacks the member {member}",
		Help:    helpFetchAgain,
		Explain: "Every member that the format has is required; no default takes its place.",
	},
	{
		Code: CodeBuildMemberWrong, Severity: Error, Room: "bundle",
		Message: "[[{member} of ]]{document} is {found}; expected {expected}",
		Help:    helpFetchAgain,
		Explain: "The member has another type or value than the format allows.",
	},
	{
		Code: CodeDigestAlgorithm, Severity: Error, Room: "bundle",
		Message: "{where} uses another digest algorithm than sha256: {found}",
		Help:    helpForged,
		Explain: "There is one notation for digests: `sha256:` in lower case and 64 lower-case hex digits. Accepting a second algorithm\n" +
			"would make a Build as weak as the weakest.",
	},
	{
		Code: CodeDigestMalformed, Severity: Error, Room: "bundle",
		Message: "{where} has {found}, which is not a digest: {why}",
		Help:    helpForged,
		Explain: "There is one notation for digests: `sha256:` in lower case and 64 lower-case hex digits, compared whole.",
	},
	{
		Code: CodeLayoutFileMissing, Severity: Error, Room: "bundle",
		Message: "{entry} is missing",
		Help:    "name a `.seif` file or the folder of a Build; if this is one, " + helpFetchAgain,
		Explain: "Every OCI image layout has the files `oci-layout` and `index.json`.",
	},
	{
		Code: CodeBlobName, Severity: Error, Room: "bundle",
		Message: "{entry} is not the name of a blob: {why}",
		Help:    helpForged,
		Explain: "A blob is named by the 64 lower-case hex digits of its SHA-256 digest, below `blobs/sha256`.",
	},
	{
		Code: CodeBlobMissing, Severity: Error, Room: "bundle",
		Message: "the blob {expected} is missing; {where} names it",
		Help:    helpFetchAgain,
		Explain: "A Build is used whole or not at all.",
	},
	{
		Code: CodeBlobDigest, Severity: Error, Room: "bundle",
		Message: "the content of {entry} has the digest {found}; expected {expected}",
		Help:    helpFetchAgain,
		Explain: "The digest of every file is computed anew when a Build is read. This one was changed after it was written, by\n" +
			"damage or on purpose.",
	},
	{
		Code: CodeBlobSize, Severity: Error, Room: "bundle",
		Message: "the blob {entry} has {found} bytes; {where} states {expected}",
		Help:    helpForged,
		Explain: "Stated sizes are checked as digests are: programs that trust them would read less or more than was verified.",
	},
	{
		Code: CodeIndexMismatch, Severity: Error, Room: "bundle",
		Message: "index.json does not list the Build {expected}[[, but {found}]]",
		Help:    "get the Build again from where it was built",
		Explain: "`index.json` is in no signature, so the Build is found by reading manifests. Other tools go by the index: if it\n" +
			"leads elsewhere, they would see something else than what was verified.",
	},
	{
		Code: CodeNoBuild, Severity: Error, Room: "bundle",
		Message: "there is no Build in it",
		Help:    "name a `.seif` file or the folder of a Build",
		Explain: "No manifest in this layout is the manifest of a Build.",
	},
	{
		Code: CodeAmbiguousBuild, Severity: Error, Room: "bundle",
		Message: "there are several Builds in it: {found}",
		Help:    "name the one you want by its digest",
		Explain: "With several Builds in one layout, two tools could take different ones, and a signature for one could be taken for\n" +
			"the other.",
	},
	{
		Code: CodeBuildDigest, Severity: Error, Room: "bundle",
		Message: "the Build is {found}; expected {expected}",
		Help:    "get the Build whose digest you expect, or correct the digest if you meant this one",
		Explain: "The digest that was asked for names exactly one Build, and this is another one.",
	},
	{
		Code: CodeUnknownManifest, Severity: Error, Room: "bundle",
		Message: "the manifest {entry} is neither a Build nor anything that this version knows: {found}",
		Help:    "use a release of `seifc` that knows it, or take it out of the layout",
		Explain: "What this version does not understand it cannot verify, so it is never skipped.",
	},
	{
		Code: CodeUnknownBuildType, Severity: Error, Room: "bundle",
		Message: "the Build {entry} is of the unknown type {found}; this version knows {known}",
		Help:    "use a release of `seifc` that knows it",
		Explain: "Another version of the format gives members another meaning. The type has to match exactly.",
	},
	{
		Code: CodeUnknownRuntime, Severity: Error, Room: "bundle",
		Message: "the Build needs the contract {found}; known here: {known}",
		Help:    "use a release that knows it, or build the Project for a contract that is known here",
		Explain: "A runtime that does not know the contract of a Build would misread it: it might disclose tools or skip a policy that\n" +
			"it does not know. It refuses instead.",
	},
	{
		Code: CodeContractMismatch, Severity: Error, Room: "bundle",
		Message: "the manifest says that the definition is {expected}, but it is {found}",
		Help:    helpForged,
		Explain: "A media type that differs from what it names could make an older program read a definition with tools as one\n" +
			"without them.",
	},
	{
		Code: CodeLayerTitleUnknown, Severity: Error, Room: "bundle",
		Message: "the layer {title} is not one that a Build has",
		Help:    "use a release of `seifc` that knows it, if there is one",
		Explain: "A Build has a layer `sources/ID` for the text of every source that is a file, `tests.json`, and perhaps `corpus.json`.",
	},
	{
		Code: CodeLayerTitleDuplicate, Severity: Error, Room: "bundle",
		Message: "two layers have the title {title}",
		Help:    helpForged,
		Explain: "Of two layers of one title some tools take the first and some the last.",
	},
	{
		Code: CodeLayerTitleClash, Severity: Error, Room: "bundle",
		Message: "the titles {title} and {other} name one file on some systems",
		Help:    helpRename,
		Explain: "File systems fold case, and Windows drops dots at the end of a name. One of the two would overwrite the other.",
	},
	{
		Code: CodeLayerOrder, Severity: Error, Room: "bundle",
		Message: "the layer {title} stands behind {other}",
		Help:    helpForged,
		Explain: "Layers are sorted by title, so that one content has one manifest.",
	},
	{
		Code: CodeLayerMediaType, Severity: Error, Room: "bundle",
		Message: "the layer {title} has the media type {found}; expected {expected}",
		Help:    helpForged,
		Explain: "The title of a layer settles its media type. Two layers whose types were exchanged would be used for each other.",
	},
	{
		Code: CodeLayerMissing, Severity: Error, Room: "bundle",
		Message: "the definition names {title}, and there is no such layer",
		Help:    helpForged,
		Explain: "The files that the definition names and the layers of the manifest are the same, one by one.",
	},
	{
		Code: CodeLayerUnexpected, Severity: Error, Room: "bundle",
		Message: "the definition does not name the layer {title}",
		Help:    helpForged,
		Explain: "The files that the definition names and the layers of the manifest are the same, one by one.",
	},
	{
		Code: CodeLayerDiffers, Severity: Error, Room: "bundle",
		Message: "the content of {title} is {found}; the definition says {expected}",
		Help:    helpForged,
		Explain: "The digest and the size that the definition gives for a file are those of its layer. Otherwise one file stands in for\n" +
			"another, even if the manifest is signed.",
	},
	{
		Code: CodeLayerTooLarge, Severity: Error, Room: "bundle",
		Message: "{title} has {found} bytes; at most {limit} are allowed",
		Help:    "split the text into several sources",
		Explain: "One file of a Build has at most 64 MiB.",
	},
	{
		Code: CodeLayerText, Severity: Error, Room: "bundle",
		Message: "the text of {title} is not in its normal form",
		Help:    helpForged,
		Explain: "The texts of a Build are UTF-8 without a byte order mark at the start, with LF at the ends of lines and without\n" +
			"control characters. Builds of one text have one digest, wherever they were made.",
	},
	{
		Code: CodeAttachmentSubject, Severity: Error, Room: "bundle",
		Message: "{entry} is attached to {found}, not to the Build {expected}",
		Help:    "take it out of the layout, or get what belongs to this Build",
		Explain: "What is attached to a Build names its digest. An attachment of another manifest, of an earlier Build for one, says\n" +
			"nothing about this one, and a list of signatures must not show it.",
	},
	{
		Code: CodeUnknownAttachment, Severity: Error, Room: "bundle",
		Message: "{entry} is attached to the Build and is of a kind that this version does not know: {found}",
		Help:    "take it out of the layout, or use a release of `seifc` that knows it",
		Explain: "What is attached to a Build in a layout is a Sigstore bundle of version 0.3, by its artifact type. Other tools attach\n" +
			"other things, such as a bill of materials or a signature of an older format. What this version cannot judge it never\n" +
			"skips: keep such things in the registry, beside the Build.",
	},
	{
		Code: CodeAttachmentConfig, Severity: Error, Room: "bundle",
		Message: "the config of {entry} is {found}, not the OCI empty descriptor",
		Help:    "sign again by `seifc sign`",
		Explain: "An attachment is one Sigstore bundle and nothing else. Its config is `{}` of the type\n" +
			"`application/vnd.oci.empty.v1+json`, as the OCI image specification has it for manifests that need none.",
	},
	{
		Code: CodeAttachmentLayers, Severity: Error, Room: "bundle",
		Message: "{entry} has {found} layers; an attachment has one",
		Help:    "sign again by `seifc sign`: every signature is an attachment of its own",
		Explain: "An attachment is exactly one Sigstore bundle. With several, two tools could take different ones.",
	},
	{
		Code: CodeAttachmentEmpty, Severity: Error, Room: "bundle",
		Message: "{entry} is empty",
		Help:    "sign again by `seifc sign`",
		Explain: "An attachment is one Sigstore bundle, and nothing is no bundle.",
	},
	{
		Code: CodeAttachmentTooLarge, Severity: Error, Room: "bundle",
		Message: "{entry} has {found} bytes; at most {limit} are allowed",
		Help:    "take it out of the layout: no signature is that large",
		Explain: "A Sigstore bundle has at most 1 MiB, the manifest that attaches it 64 KiB with all annotations, and all attachments of\n" +
			"a Build together 32 MiB.",
	},
	{
		Code: CodeTooManyAttachments, Severity: Error, Room: "bundle",
		Message: "the Build has {found} attachments; at most {limit} are allowed",
		Help:    "take out those that you do not need",
		Explain: "Everybody who can write to a registry can attach something. The number is bounded, so that nobody can make the\n" +
			"verification of a Build take as long as they like.",
	},
	{
		Code: CodeReferrersIndex, Severity: Error, Room: "bundle",
		Message: "{document} lists {found}, which is not attached to the Build",
		Help:    "take the index out of the layout, or fetch the Build again with all that is attached to it",
		Explain: "Some clients list the attachments of a manifest in an index that is tagged with its digest. Such an index is taken if\n" +
			"it lists attachments of this Build and nothing else.",
	},
}
