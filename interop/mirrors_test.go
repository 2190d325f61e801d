package interop_test

import "testing"

// crane and skopeo keep the digest of a Build and leave its signatures behind. What arrives is whole and unsigned, and
// we say so: exit 4.

func TestCraneCopiesArriveUnsigned(t *testing.T) {
	crane := client(t, "crane")
	onRegistries(t, func(d desk, repository string) {
		from, to := repository+":v1", repository+"-mirror:v1"
		d.seifc(0, "push", "signed.seif", "oci://"+from)
		d.run(0, crane, "cp", "--insecure", from, to)
		d.says(d.run(0, crane, "digest", "--insecure", to), d.digest("signed.seif"))
		d.run(0, crane, "validate", "--insecure", "--remote", to)
		d.seifc(0, "pull", "oci://"+to, "-o", "mirrored.seif")
		d.unsigned("mirrored.seif")
		d.run(0, crane, "pull", "--insecure", "--format=oci", from, d.path("pulled"))
		d.unsigned("pulled")
	})
}

func TestCranePushesOurFolders(t *testing.T) {
	crane := client(t, "crane")
	onRegistries(t, func(d desk, repository string) {
		d.run(0, crane, "push", "--insecure", "unsigned", repository+":v1")
		d.seifc(0, "pull", "oci://"+repository+":v1", "-o", "pulled.seif")
		d.unsigned("pulled.seif")
		// A folder with signatures has several entries in its index, which crane takes for no image.
		d.run(1, crane, "push", "--insecure", "signed", repository+":v2")
	})
}

func TestSkopeoCopiesArriveUnsigned(t *testing.T) {
	skopeo := client(t, "skopeo")
	onRegistries(t, func(d desk, repository string) {
		from, to := repository+":v1", repository+"-mirror:v1"
		d.seifc(0, "push", "signed.seif", "oci://"+from)
		d.run(0, skopeo, "--insecure-policy", "copy", "--src-tls-verify=false", "--dest-tls-verify=false", "docker://"+from, "docker://"+to)
		d.seifc(0, "pull", "oci://"+to, "-o", "mirrored.seif")
		d.unsigned("mirrored.seif")
	})
}

func TestSkopeoCarriesOurFiles(t *testing.T) {
	skopeo := client(t, "skopeo")
	onRegistries(t, func(d desk, repository string) {
		for tag, source := range map[string]string{"folder": "oci:unsigned:build", "file": "oci-archive:unsigned.seif:build"} {
			to := repository + ":" + tag
			d.run(0, skopeo, "--insecure-policy", "copy", "--dest-tls-verify=false", source, "docker://"+to)
			d.seifc(0, "pull", "oci://"+to, "-o", tag+".seif")
			d.unsigned(tag + ".seif")
		}
	})
}
