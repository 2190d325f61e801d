// Package bundle is a Build on disk: an OCI 1.1 image layout, as a folder or as a `.seif` file.
//
// It guarantees that a [Build] in memory is whole and verified, however it came to be: every digest, size and name
// was computed anew, the files that the definition names and the layers of the manifest are the same one by one,
// and the manifest is byte for byte the one that this content gives. Reading takes every file once and uses the
// very bytes that it verified. Nothing is unpacked and nothing is executed.
//
// The identity of a Build is the SHA-256 digest of its manifest. These are no part of it, because tools that keep
// a Build's content change them:
//
//   - of the tar: the order of entries, and of their headers mode, owner, group, times and device numbers. All else
//     in a header is checked: the name, the size, the entry type and the checksum. So are the zeros that fill up the
//     last block of an entry and those at the end;
//   - of a folder: modes, owners, times and the number of hard links;
//   - of index.json: white space, the order of members, the tag (org.opencontainers.image.ref.name) and whether the
//     other optional members are there. Where they are, they have to be right. Of oci-layout: white space.
//
// A [Layout] is a Build with its attachments: OCI 1.1 referrers, each with one Sigstore bundle. They are found by reading
// manifests, belong to the Build by their subject, and are whole and bounded. What a bundle says, and whether anybody
// should believe it, is judged elsewhere; annotations, and what index.json says about an attachment, decide nothing. In
// a layout every file has its place in the Build or in an attachment, and any other one is refused. [Update] changes
// attachments, and of many who do so at once nobody's work is lost.
//
// Every fault of content has its own code and is an [Invalid]; faults of the machine stay what they are.
package bundle
